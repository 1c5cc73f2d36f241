namespace Larder.Wire.Tests;

/// <summary>A theory with the timeout of <see cref="TimedFactAttribute"/> for each row.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class TimedTheoryAttribute : TheoryAttribute
{
    public override int Timeout => (int)TestCalls.Patience.TotalMilliseconds;
}
