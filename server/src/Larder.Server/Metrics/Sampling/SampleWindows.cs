namespace Larder.Server.Metrics;

/// <summary>
/// Two tables: one that is filled for ten seconds, and the one before it, so that what is told is of the last ten to twenty. Under its user's lock.
/// </summary>
internal sealed class SampleWindows<T>(TimeProvider time, Func<T> make)
    where T : class, ISampleTable
{
    /// <summary>How long one is filled.</summary>
    public static readonly TimeSpan Length = TimeSpan.FromSeconds(10);

    private readonly T _a = make();
    private readonly T _b = make();
    private bool _isB;
    private long _presentSince = time.GetTimestamp();
    private TimeSpan _before;

    /// <summary>The table that is being filled.</summary>
    public T Present()
    {
        TimeSpan age = time.GetElapsedTime(_presentSince);
        if (age >= Length)
        {
            Turn(age);
        }

        return _isB ? _b : _a;
    }

    /// <summary>Both tables, the present one first.</summary>
    public (T Present, T Before) Recent()
    {
        T present = Present();
        return (present, ReferenceEquals(present, _a) ? _b : _a);
    }

    /// <summary>The time that they span.</summary>
    public TimeSpan RecentTime() => _before + time.GetElapsedTime(_presentSince);

    private void Turn(TimeSpan age)
    {
        _isB = !_isB;
        (_isB ? _b : _a).Clear();
        _before = age;
        _presentSince = time.GetTimestamp();
        if (age >= 2 * Length)
        {
            // Nobody called meanwhile: what the other holds is older than what is told.
            (_isB ? _a : _b).Clear();
            _before = TimeSpan.Zero;
        }
    }
}
