namespace Larder.Wire.Tests;

/// <summary>A theory as patient as <see cref="PatientFactAttribute"/>, for each of its rows.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PatientTheoryAttribute : TheoryAttribute
{
    public override int Timeout => (int)TestCalls.Patience.TotalMilliseconds;
}
