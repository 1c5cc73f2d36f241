namespace Larder.Server.Security;

/// <summary>
/// Looks, four times a second, whether a file of tokens, keys or certificates has changed, and whether a stream that waits has lost its token.
/// </summary>
internal sealed class SecretWatch : IDisposable
{
    // A change is read when the file was still for a period: half a second after it at the latest, within the second that is promised.
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(250);

    private readonly SecretFiles _secrets;
    private readonly Action<IReadOnlyList<(string Option, string? Fault)>> _read;
    private readonly ITimer _timer;
    private int _looking;

    /// <param name="secrets">What is watched.</param>
    /// <param name="time">The clock.</param>
    /// <param name="read">Told of what was read again.</param>
    public SecretWatch(SecretFiles secrets, TimeProvider time, Action<IReadOnlyList<(string Option, string? Fault)>> read)
    {
        _secrets = secrets;
        _read = read;
        _timer = time.CreateTimer(static watch => ((SecretWatch)watch!).Look(), this, Period, Period);
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
