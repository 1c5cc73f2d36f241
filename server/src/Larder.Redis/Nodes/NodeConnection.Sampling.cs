namespace Larder.Redis;

/// <content>Latency, of one command at a time: a clock read for each command would cost more than the command's other accounts.</content>
internal sealed partial class NodeConnection
{
    // A hundredth of each sample.
    private const double Weight = 0.01;

    private long _sampled = -1;
    private long _sampledAt;
    private double _latency;

    /// <summary>From a command's being put on it to its answer's being read, smoothed; zero where there is none yet.</summary>
    public TimeSpan Latency => TimeSpan.FromSeconds(Volatile.Read(ref _latency) / _context.Time.TimestampFrequency);

    // Under the lock, before a command is added.
    private void BeginSample()
    {
        if (_sampled < 0)
        {
            _sampled = _expected.Added;
            _sampledAt = _context.Now;
        }
    }

    // Under the lock, after commands were taken.
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
