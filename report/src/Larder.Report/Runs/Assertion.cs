namespace Larder.Report.Runs;

/// <summary>What <c>--assert</c> demanded, what was measured, and whether it held.</summary>
internal sealed record Assertion(string Demand, string Measured, bool Held);
