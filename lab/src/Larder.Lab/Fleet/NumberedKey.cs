using System.Globalization;

namespace Larder.Lab.Fleet;

/// <summary>
/// One key whose values say which key they are of and count up, written and read by one caller at a time: what a read should have found is known. An answered
/// write that a failover has lost is told from a stale answer, which is one that was older than an earlier answer though nothing newer had been lost.
/// </summary>
/// <param name="key">The key.</param>
internal sealed class NumberedKey(string key)
{
    // Failed writes that a later one has not covered yet may still come, or may have.
    private readonly HashSet<long> _open = [];
    private long _last;
    private long _present;

    public string Key => key;

    /// <summary>The next value to write.</summary>
    public string Next() => string.Create(CultureInfo.InvariantCulture, $"{key} {++_last}");

    /// <summary>The write of the last value was answered.</summary>
    public void OnStored() => _present = _last;

    /// <summary>The write of the last value failed; it may have been made.</summary>
    public void OnFailed() => _open.Add(_last);

    /// <summary>Judges what a read has found; null for a miss.</summary>
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

        // What is newer than all that was there, and no failed write, had been lost or was flushed, and is back.
        ReadVerdict verdict = number < _present ? ReadVerdict.Lost : ReadVerdict.Stale;
        _present = number;
        return verdict;
    }
}
