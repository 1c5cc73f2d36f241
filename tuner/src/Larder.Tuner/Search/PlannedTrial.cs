using Larder.Report.Runs;

namespace Larder.Tuner.Search;

/// <summary>The next trial of a rate search.</summary>
/// <param name="Kind">The purpose of the trial.</param>
/// <param name="RatePerSecond">The scheduled calls per second.</param>
/// <param name="Cap">The client's concurrency limit.</param>
/// <param name="Attempt">The number of the attempt: 1, or 2 if the first attempt could not be judged and is repeated.</param>
/// <param name="Run">The number of the run. A confirmation has run 1 and, if it meets the target, run 2. Other trials have only run 1.</param>
internal sealed record PlannedTrial(RateStepKind Kind, double RatePerSecond, int Cap, int Attempt = 1, int Run = 1);
