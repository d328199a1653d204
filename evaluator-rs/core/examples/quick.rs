use evaluator_core::batch::*; use std::time::Instant;
fn main(){
  let n=1<<20; let mut s=88172645463325252u64; let mut rnd=||{s^=s<<13;s^=s>>7;s^=s<<17;s};
  let mut cards=Vec::with_capacity(n*7);
  for _ in 0..n { let mut m=0u64; let mut k=0; while k<7 { let c=(rnd()>>32)%52; if m>>c&1==0 {m|=1<<c; cards.push(c as u8); k+=1;} } }
  let mut r=vec![0u16;n]; evaluate7(Path::Scalar,&cards,&mut r).unwrap();
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
}
