using System.Globalization;

namespace Larder.Lab.Fleet;

/// <summary>
/// One key whose values contain the key and an increasing number. Only one caller at a time writes and reads the key, so the expected value of a read is known.
/// This makes it possible to distinguish two errors. A lost write was acknowledged and then lost by a failover. A stale response is older than an earlier
/// response although no newer write was lost.
/// </summary>
/// <param name="key">The key.</param>
internal sealed class NumberedKey(string key)
{
    // Failed writes that may have been applied, or may still be applied until a later write supersedes them.
    private readonly HashSet<long> _open = [];
    private long _last;
    private long _present;

    public string Key => key;

    /// <summary>Returns the next value to write.</summary>
    public string Next() => string.Create(CultureInfo.InvariantCulture, $"{key} {++_last}");

    /// <summary>Records that the write of the last value was acknowledged.</summary>
    public void OnStored() => _present = _last;

    /// <summary>Records that the write of the last value failed. The server may have applied it.</summary>
    public void OnFailed() => _open.Add(_last);

    /// <summary>Classifies the result of a read. <paramref name="value"/> is null for a miss.</summary>
    public ReadVerdict OnRead(string? value)
    {
        long number = 0;
        if (value is not null && !(value.StartsWith(key + " ", StringComparison.Ordinal)
            && long.TryParse(value.AsSpan(key.Length + 1), NumberStyles.None, CultureInfo.InvariantCulture, out number) && number <= _last))
        {
            return ReadVerdict.Crossed;
        }

        if (number == _present)
        {
            return ReadVerdict.Right;
        }

        if (_open.Remove(number))
        {
            _present = number;
            return ReadVerdict.Right;
        }

        // A lower number shows that a write was lost. A higher number does not come from a failed write. It therefore belongs to a value that was lost or
        // flushed earlier and has reappeared.
        ReadVerdict verdict = number < _present ? ReadVerdict.Lost : ReadVerdict.Stale;
        _present = number;
        return verdict;
    }
}
