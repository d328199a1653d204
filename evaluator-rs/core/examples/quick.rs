use evaluator_core::batch::*; use std::time::Instant;
fn main(){
  let n=1<<20; let mut s=88172645463325252u64; let mut rnd=||{s^=s<<13;s^=s>>7;s^=s<<17;s};
  let mut cards=Vec::with_capacity(n*7);
  for _ in 0..n { let mut m=0u64; let mut k=0; while k<7 { let c=(rnd()>>32)%52; if m>>c&1==0 {m|=1<<c; cards.push(c as u8); k+=1;} } }
  let mut r=vec![0u16;n]; evaluate7(Path::Scalar,&cards,&mut r).unwrap();
  { let mut o=vec![0u16;n]; let mut best=1e9f64; for _ in 0..30 { let t=Instant::now(); for (h,o) in cards.as_chunks::<7>().0.iter().zip(&mut o) { *o=evaluator_core::evaluate_known(h);} let d=t.elapsed().as_secs_f64(); if d<best {best=d;} std::hint::black_box(&o); } println!("known {:.1} M/s", n as f64/best/1e6); }
  for p in Path::ALL { let mut o=vec![0u16;n]; evaluate7(p,&cards,&mut o).unwrap(); assert!(o==r); evaluate7(p,&cards[..7*1000],&mut o[..1000]).unwrap(); 
   let mut best=1e9f64; for _ in 0..30 { let t=Instant::now(); evaluate7(p,&cards,&mut o).unwrap(); let d=t.elapsed().as_secs_f64(); if d<best {best=d;} }
   println!("{} {:.1} M/s {:.3} ns", p.name(), n as f64/best/1e6, best*1e9/n as f64); }

  let mut cards=Vec::with_capacity(n*9);
  for _ in 0..n { let mut m=0u64; let mut k=0; while k<9 { let c=(rnd()>>32)%52; if m>>c&1==0 {m|=1<<c; cards.push(c as u8); k+=1;} } }
  if std::env::var_os("HOT").is_some() { for i in 200*9..n*9 { cards[i]=cards[i-200*9]; } }
  let (mut rh,mut rl)=(vec![0u16;n],vec![0u16;n]); omaha9_high_low(Path::Scalar,&cards,&mut rh,&mut rl).unwrap();
  for p in Path::ALL { let (mut o,mut l)=(vec![0u16;n],vec![0u16;n]); omaha9(p,&cards,&mut o).unwrap(); omaha9_high_low(p,&cards,&mut o,&mut l).unwrap(); assert!(o==rh&&l==rl); 
   let (mut best,mut b2)=(1e9f64,1e9f64); for _ in 0..20 { let t=Instant::now(); omaha9(p,&cards,&mut o).unwrap(); let d=t.elapsed().as_secs_f64(); if d<best {best=d;} let t=Instant::now(); omaha9_high_low(p,&cards,&mut o,&mut l).unwrap(); assert!(o==rh&&l==rl); let d=t.elapsed().as_secs_f64(); if d<b2 {b2=d;}}
   println!("omaha {} {:.1} M/s {:.3} ns; high-low {:.1}", p.name(), n as f64/best/1e6, best*1e9/n as f64, n as f64/b2/1e6); }

  let t=1<<17; let (mut bo,mut h2,mut h4)=(vec![],vec![],vec![]);
  for _ in 0..t { let mut m=0u64; let mut k=0; while k<41 { let c=(rnd()>>32)%52; if m>>c&1==0 {m|=1<<c; if k<5 {bo.push(c as u8)} else {h4.push(c as u8); if k<23 {h2.push(c as u8)}} k+=1;} } }
  let (mut r2,mut r4,mut rl)=(vec![0u16;t*9],vec![0u16;t*9],vec![0u16;t*9]);
  holdem_tables(Path::Scalar,&bo,&h2,9,&mut r2).unwrap(); omaha_tables(Path::Scalar,&bo,&h4,9,&mut r4,Some(&mut rl)).unwrap();
  for p in Path::ALL { let (mut a,mut b,mut l)=(vec![0u16;t*9],vec![0u16;t*9],vec![0u16;t*9]); let (mut x,mut y)=(1e9f64,1e9f64);
   omaha_tables(p,&bo,&h4,9,&mut b,Some(&mut l)).unwrap(); assert!(b==r4&&l==rl);
   for _ in 0..15 { let q=Instant::now(); holdem_tables(p,&bo,&h2,9,&mut a).unwrap(); x=x.min(q.elapsed().as_secs_f64()); let q=Instant::now(); omaha_tables(p,&bo,&h4,9,&mut b,None).unwrap(); y=y.min(q.elapsed().as_secs_f64()); }
   assert!(a==r2&&b==r4); println!("9way {} holdem {:.1} omaha {:.1}", p.name(), t as f64*9.0/x/1e6, t as f64*9.0/y/1e6); }
}
