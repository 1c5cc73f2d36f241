namespace Larder.Wire.Tests;

/// <summary>An asynchronous fact that fails, by its name, when it has not ended within <see cref="TestCalls.Patience"/>: nothing here waits for ever.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PatientFactAttribute : FactAttribute
{
    public override int Timeout => (int)TestCalls.Patience.TotalMilliseconds;
}
