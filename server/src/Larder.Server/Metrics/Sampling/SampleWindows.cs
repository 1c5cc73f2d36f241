namespace Larder.Server.Metrics;

/// <summary>
/// Two alternating tables, each of which is filled for 10 s. Results therefore cover the last 10 to 20 s. The caller must synchronize access.
/// </summary>
internal sealed class SampleWindows<T>(TimeProvider time, Func<T> make)
    where T : class, ISampleTable
{
    /// <summary>The time for which a table is filled.</summary>
    public static readonly TimeSpan Length = TimeSpan.FromSeconds(10);

    private readonly T _a = make();
    private readonly T _b = make();
    private bool _isB;
    private long _presentSince = time.GetTimestamp();
    private TimeSpan _before;

    /// <summary>Returns the table that is being filled.</summary>
    public T Present()
    {
        TimeSpan age = time.GetElapsedTime(_presentSince);
        if (age >= Length)
        {
            Turn(age);
        }

        return _isB ? _b : _a;
    }

    /// <summary>Returns both tables. The table that is being filled comes first.</summary>
    public (T Present, T Before) Recent()
    {
        T present = Present();
        return (present, ReferenceEquals(present, _a) ? _b : _a);
    }

    /// <summary>Returns the time that both tables cover.</summary>
    public TimeSpan RecentTime() => _before + time.GetElapsedTime(_presentSince);

    private void Turn(TimeSpan age)
    {
        _isB = !_isB;
        (_isB ? _b : _a).Clear();
        _before = age;
        _presentSince = time.GetTimestamp();
        if (age >= 2 * Length)
        {
            // Nothing was recorded for at least a whole window, so the entries of the previous table are too old.
            (_isB ? _a : _b).Clear();
            _before = TimeSpan.Zero;
        }
    }
}
