using Larder.Report.Runs;

namespace Larder.Tuner.Search;

/// <summary>The next trial of a rate search.</summary>
/// <param name="Kind">What for.</param>
/// <param name="RatePerSecond">Calls due a second.</param>
/// <param name="Cap">The client's cap.</param>
/// <param name="Attempt">1, or 2 where the first was disturbed and is asked again.</param>
/// <param name="Run">Of a confirmation: 1, and 2 after the first kept the target.</param>
internal sealed record PlannedTrial(RateStepKind Kind, double RatePerSecond, int Cap, int Attempt = 1, int Run = 1);
