using Larder.Report.Runs;

namespace Larder.Tuner.Search;

/// <summary>The next trial of a rate search.</summary>
/// <param name="Kind">The purpose of the trial.</param>
/// <param name="RatePerSecond">The scheduled calls per second.</param>
/// <param name="Cap">The client's concurrency limit.</param>
/// <param name="Attempt">1, or 2 if the first attempt was disturbed and is repeated.</param>
/// <param name="Run">For a confirmation: 1, or 2 after the first run has met the target.</param>
internal sealed record PlannedTrial(RateStepKind Kind, double RatePerSecond, int Cap, int Attempt = 1, int Run = 1);
