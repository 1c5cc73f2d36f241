namespace Larder.Store.Bench;

/// <summary>Checks a value, and checks it again while other threads write. Sometimes sets another key during the lookup.</summary>
internal struct StressSink(int key, StressFailures failures) : IValueSink
{
    public long Version { get; private set; }

    public bool Lingers { get; init; }

    /// <summary>A callback that is called while the value is checked; null if there is none.</summary>
    public Action? Meanwhile { get; init; }

    public void Accept(ReadOnlySpan<byte> value)
    {
        Check(value);
        if (Lingers)
        {
            Meanwhile?.Invoke();
            Thread.Yield();
            Check(value);
            Thread.SpinWait(1000);
            Check(value);
        }
    }

    private void Check(ReadOnlySpan<byte> value)
    {
        if (StressValue.FaultIn(value, key, out long version) is { } fault)
        {
            failures.Add($"key {key}: {fault}");
        }

        Version = version;
    }
}
