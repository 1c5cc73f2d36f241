using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Output;

/// <summary>
/// A load that starts: its phase, the number of callers (on a schedule: the concurrency limit), the channels, the scheduled calls per second, the pass and the
/// number of passes, and the purpose of a rate-search step.
/// </summary>
internal sealed record LoadStep(TunePhase Phase, int Callers, int Channels, double? RatePerSecond, int Pass, int Passes, RateStepKind? Kind = null);
