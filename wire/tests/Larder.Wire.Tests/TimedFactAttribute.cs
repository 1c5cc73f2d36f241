namespace Larder.Wire.Tests;

/// <summary>A fact with a timeout of <see cref="TestCalls.Patience"/>, so that no test waits forever.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class TimedFactAttribute : FactAttribute
{
    public override int Timeout => (int)TestCalls.Patience.TotalMilliseconds;
}
