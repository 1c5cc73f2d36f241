namespace Larder.Server.Security;

/// <summary>
/// Checks four times a second whether a token, key or certificate file has changed, and reloads changed files. Also ends waiting streams whose token is no
/// longer valid.
/// </summary>
internal sealed class SecretWatch : IDisposable
{
    // The period of the checks. A file is reloaded when it has not changed for one period, which is at most 0.5 s after the change. The documentation
    // guarantees 1 s.
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(250);

    private readonly SecretFiles _secrets;
    private readonly Action<IReadOnlyList<(string Option, string? Fault)>> _read;
    private readonly ITimer _timer;
    private int _looking;

    /// <param name="secrets">The files to watch.</param>
    /// <param name="time">The clock.</param>
    /// <param name="read">Called with the result of each reload.</param>
    public SecretWatch(SecretFiles secrets, TimeProvider time, Action<IReadOnlyList<(string Option, string? Fault)>> read)
    {
        _secrets = secrets;
        _read = read;
        _timer = time.CreateTimer(static watch => ((SecretWatch)watch!).Look(), this, Period, Period);
    }

    public void Dispose() => _timer.Dispose();

    private void Look()
    {
        // Skips this check if the previous one is still running.
        if (Interlocked.Exchange(ref _looking, 1) != 0)
        {
            return;
        }

        try
        {
            if (_secrets.Access is { HasFileChanged: true })
            {
                _read(_secrets.ReloadTokens());
            }

            if (_secrets.HasTlsChanged)
            {
                _read(_secrets.ReloadTls());
            }

            _secrets.Access?.EndSessions();
        }
        finally
        {
            Volatile.Write(ref _looking, 0);
        }
    }
}
