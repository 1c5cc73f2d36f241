namespace Larder.Redis;

/// <content>
/// Measures latency. Only one command at a time is measured, because reading the clock for every command would cost more than all other bookkeeping.
/// </content>
internal sealed partial class NodeConnection
{
    // The weight of a new sample in the smoothed latency: one hundredth.
    private const double Weight = 0.01;

    private long _sampled = -1;
    private long _sampledAt;
    private double _latency;

    /// <summary>Gets the smoothed latency from the time a command is queued to the time its reply is read. Zero if no command was measured yet.</summary>
    public TimeSpan Latency => TimeSpan.FromSeconds(Volatile.Read(ref _latency) / _context.Time.TimestampFrequency);

    // Starts a measurement unless one is in progress. The caller must hold the lock and then add the command.
    private void BeginSample()
    {
        if (_sampled < 0)
        {
            _sampled = _expected.Added;
            _sampledAt = _context.Now;
        }
    }

    // Ends the measurement if the measured command has been removed from the expected replies. The caller must hold the lock.
    private void EndSample()
    {
        if (_sampled >= 0 && _sampled < _expected.Taken)
        {
            double sample = _context.Now - _sampledAt;
            Volatile.Write(ref _latency, _latency == 0 ? sample : _latency + ((sample - _latency) * Weight));
            _sampled = -1;
        }
    }
}
