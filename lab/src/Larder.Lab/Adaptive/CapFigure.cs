using Larder.Report.Runs;

namespace Larder.Lab.Adaptive;

/// <summary>What a cap gave for a while. Latency is from the permit to the end where the client tells it, otherwise null.</summary>
/// <param name="Cap">The fixed cap; null is the adaptive one.</param>
/// <param name="RequestsPerSecond">Calls a second.</param>
/// <param name="P50Ms">Median.</param>
/// <param name="P999Ms">99.9 %.</param>
/// <param name="Failures">Calls that failed.</param>
/// <param name="LimitAtEnd">The cap in force at the end.</param>
internal sealed record CapFigure(int? Cap, double RequestsPerSecond, double? P50Ms, double? P999Ms, long Failures, int LimitAtEnd);
