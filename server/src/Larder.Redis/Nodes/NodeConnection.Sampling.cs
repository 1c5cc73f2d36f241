namespace Larder.Redis;

/// <content>Measures latency, of one command at a time: reading the clock for every command would cost more than all other bookkeeping.</content>
internal sealed partial class NodeConnection
{
    // The weight of each sample: one hundredth.
    private const double Weight = 0.01;

    private long _sampled = -1;
    private long _sampledAt;
    private double _latency;

    /// <summary>Gets the smoothed latency from queueing a command to reading its reply. Zero if there is none yet.</summary>
    public TimeSpan Latency => TimeSpan.FromSeconds(Volatile.Read(ref _latency) / _context.Time.TimestampFrequency);

    // The caller must hold the lock. Called before a command is added.
    private void BeginSample()
    {
        if (_sampled < 0)
        {
            _sampled = _expected.Added;
            _sampledAt = _context.Now;
        }
    }

    // The caller must hold the lock. Called after commands were taken.
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
