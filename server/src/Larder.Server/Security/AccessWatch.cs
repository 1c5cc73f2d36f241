namespace Larder.Server.Security;

/// <summary>Looks, four times a second, whether the file of tokens has changed, and whether a stream that waits has lost its token.</summary>
internal sealed class AccessWatch : IDisposable
{
    // A change is read when the file was still for a period: half a second after it at the latest, within the second that is promised.
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(250);

    private readonly AccessControl _access;
    private readonly Action _changed;
    private readonly ITimer _timer;
    private int _looking;

    /// <param name="access">What is watched.</param>
    /// <param name="changed">Reads the file again, and says so.</param>
    public AccessWatch(AccessControl access, Action changed)
    {
        _access = access;
        _changed = changed;
        _timer = access.Time.CreateTimer(static watch => ((AccessWatch)watch!).Look(), this, Period, Period);
    }

    public void Dispose() => _timer.Dispose();

    private void Look()
    {
        // A look that takes longer than its period is not joined by the next.
        if (Interlocked.Exchange(ref _looking, 1) != 0)
        {
            return;
        }

        try
        {
            if (_access.HasFileChanged)
            {
                _changed();
            }

            _access.EndSessions();
        }
        finally
        {
            Volatile.Write(ref _looking, 0);
        }
    }
}
