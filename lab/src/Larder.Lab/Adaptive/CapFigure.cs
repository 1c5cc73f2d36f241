using Larder.Report.Runs;

namespace Larder.Lab.Adaptive;

/// <summary>
/// The result of measuring a concurrency limit. The latency is the time from the permit to the end of a call. It is null if the client does not report it.
/// </summary>
/// <param name="Cap">The fixed limit; null for the adaptive limit.</param>
/// <param name="RequestsPerSecond">The calls per second.</param>
/// <param name="P50Ms">The median latency, in ms.</param>
/// <param name="P999Ms">The 99.9th percentile of the latency, in ms.</param>
/// <param name="Failures">The number of failed calls.</param>
/// <param name="LimitAtEnd">The limit in effect at the end.</param>
internal sealed record CapFigure(int? Cap, double RequestsPerSecond, double? P50Ms, double? P999Ms, long Failures, int LimitAtEnd);
