namespace Larder.Wire.Tests;

/// <summary>A theory with the timeout of <see cref="PatientFactAttribute"/> for each row.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PatientTheoryAttribute : TheoryAttribute
{
    public override int Timeout => (int)TestCalls.Patience.TotalMilliseconds;
}
