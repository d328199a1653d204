//! What the core costs without Python.

use cardroom_evaluator_bench::Dealer;
use cpu_time::ThreadTime;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use evaluator_core::batch::{
    evaluate7, holdem_tables, omaha9, omaha9_high_low, omaha_tables, Path,
};
use evaluator_core::{best_five, evaluate, evaluate_known, omaha_best_five, omaha_high, Prefer};
use std::hint::black_box;
use std::time::Duration;

/// Time that the thread itself took, without what other programs took in between.
struct OwnTime(WallTime);

impl Measurement for OwnTime {
    type Intermediate = ThreadTime;
    type Value = Duration;

    fn start(&self) -> ThreadTime {
        ThreadTime::now()
    }

    fn end(&self, started: ThreadTime) -> Duration {
        started.elapsed()
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        self.0.formatter()
    }
}

/// Hands of one measurement: more than the caches near the core hold.
const HANDS: usize = 1 << 17;
/// Tables of nine players.
const TABLES: usize = 1 << 14;
const PLAYERS: usize = 9;

fn single_calls(criterion: &mut Criterion<OwnTime>) {
    let mut dealer = Dealer::new();
    let sevens = dealer.deals::<7>(HANDS);
    let nines = dealer.deals::<9>(HANDS);
    let mut group = criterion.benchmark_group("one_by_one");
    group.throughput(Throughput::Elements(HANDS as u64));
    group.bench_function("evaluate_known", |bench| {
        bench.iter(|| {
            sevens.iter().for_each(|hand| {
                black_box(evaluate_known(hand));
            })
        });
    });
    group.bench_function("evaluate", |bench| {
        bench.iter(|| sevens.iter().for_each(|hand| drop(black_box(evaluate(hand)))));
    });
    group.bench_function("best_five", |bench| {
        let five = |hand| best_five(hand, 2, Prefer::Hole);
        bench.iter(|| sevens.iter().for_each(|hand| drop(black_box(five(hand)))));
    });
    group.bench_function("omaha_high", |bench| {
        bench.iter(|| nines.iter().for_each(|hand| drop(black_box(omaha_high(hand)))));
    });
    group.bench_function("omaha_best_five", |bench| {
        bench.iter(|| nines.iter().for_each(|hand| drop(black_box(omaha_best_five(hand)))));
    });
    group.finish();
}

fn batches(criterion: &mut Criterion<OwnTime>) {
    let mut dealer = Dealer::new();
    let sevens = dealer.deals::<7>(HANDS).into_flattened();
    let nines = dealer.deals::<9>(HANDS).into_flattened();
    let (mut high, mut low) = (vec![0; HANDS], vec![0; HANDS]);
    for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
        let mut group = criterion.benchmark_group(format!("batch_{}", path.name()));
        group.throughput(Throughput::Elements(HANDS as u64));
        group.bench_function("evaluate7", |bench| {
            bench.iter(|| evaluate7(path, black_box(&sevens), &mut high).expect("right cards"));
        });
        group.bench_function("omaha9", |bench| {
            bench.iter(|| omaha9(path, black_box(&nines), &mut high).expect("right cards"));
        });
        group.bench_function("omaha9_high_low", |bench| {
            bench.iter(|| {
                omaha9_high_low(path, black_box(&nines), &mut high, &mut low).expect("right cards");
            });
        });
        group.finish();
    }
}

fn tables(criterion: &mut Criterion<OwnTime>) {
    let dealt = Dealer::new().deals::<41>(TABLES);
    let boards: Vec<u8> = dealt.iter().flat_map(|cards| &cards[..5]).copied().collect();
    let two: Vec<u8> = dealt.iter().flat_map(|cards| &cards[5..23]).copied().collect();
    let four: Vec<u8> = dealt.iter().flat_map(|cards| &cards[5..]).copied().collect();
    let mut out = vec![0; TABLES * PLAYERS];
    for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
        let mut group = criterion.benchmark_group(format!("tables_{}", path.name()));
        group.throughput(Throughput::Elements((TABLES * PLAYERS) as u64));
        group.bench_function("holdem", |bench| {
            bench.iter(|| {
                let result = holdem_tables(path, black_box(&boards), &two, PLAYERS, &mut out);
                result.expect("right cards");
            });
        });
        group.bench_function("omaha", |bench| {
            bench.iter(|| {
                let boards = black_box(&boards);
                let result = omaha_tables(path, boards, &four, PLAYERS, &mut out, None);
                result.expect("right cards");
            });
        });
        group.finish();
    }
}

criterion_group! {
    name = native;
    config = Criterion::default().with_measurement(OwnTime(WallTime));
    targets = single_calls, batches, tables
}
criterion_main!(native);
