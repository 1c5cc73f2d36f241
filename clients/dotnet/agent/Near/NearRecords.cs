using System.Globalization;
using System.Text;

namespace Larder.Agent;

/// <summary>
/// Writes the file of this process's reads and writes. A checker combines the files of all processes. The lines are:
/// <para><c>w,key,version,finished</c>: a write that finished.</para>
/// <para><c>u,key,version,ended</c>: a write that ended with an unknown result.</para>
/// <para>
/// <c>r,key,version,first end,last begin</c>: the reads that returned a version, with the time when the first of them ended and the time when the last of them
/// began.
/// </para>
/// <para><c>m,key,version</c>: a read that found nothing, so this delete or a later delete was applied.</para>
/// <para>Times are in ns of the monotonic clock, which all processes of a machine share. Safe for concurrent use.</para>
/// </summary>
internal sealed class NearRecords : IDisposable
{
    private const int Stripes = 256;
    private const int KeptChars = 1 << 16;

    private readonly Lock[] _stripes = [.. Enumerable.Range(0, Stripes).Select(static _ => new Lock())];
    private readonly Reading[] _readings;
    private readonly int[] _missed;
    private readonly Lock _writing = new();
    private readonly StringBuilder _lines = new();
    private readonly StreamWriter _file;

    /// <summary>Creates a file.</summary>
    public NearRecords(string path, int keys)
    {
        _readings = new Reading[keys];
        _missed = new int[keys];
        _file = new StreamWriter(path, append: false, new UTF8Encoding(false));
    }

    /// <summary>Records a write that finished.</summary>
    public void Wrote(int key, int version, long finishedNs) => Add('w', key, version, finishedNs, null);

    /// <summary>Records a write that ended with an error.</summary>
    public void Unknown(int key, int version, long endedNs) => Add('u', key, version, endedNs, null);

    /// <summary>Records a read that returned the given version.</summary>
    public void Read(int key, int version, long beganNs, long endedNs)
    {
        Reading left;
        lock (_stripes[key % Stripes])
        {
            ref Reading now = ref _readings[key];
            if (now.LastBegin != 0 && now.Version == version)
            {
                now.LastBegin = Math.Max(now.LastBegin, beganNs);
                now.FirstEnd = Math.Min(now.FirstEnd, endedNs);
                return;
            }

            left = now;
            now = new Reading(version, endedNs, beganNs);
        }

        Tell(key, left);
    }

    /// <summary>Records a read that found nothing. The version is the earliest delete that explains the miss.</summary>
    public void Missed(int key, int version)
    {
        if (Interlocked.Exchange(ref _missed[key], version) != version)
        {
            Add('m', key, version, null, null);
        }
    }

    /// <summary>Writes the buffered lines. No records may be added afterwards.</summary>
    public void Dispose()
    {
        for (int key = 0; key < _readings.Length; key++)
        {
            Tell(key, _readings[key]);
        }

        _file.Write(_lines);
        _file.Dispose();
    }

    private void Tell(int key, Reading reading)
    {
        if (reading.LastBegin != 0)
        {
            Add('r', key, reading.Version, reading.FirstEnd, reading.LastBegin);
        }
    }

    private void Add(char kind, int key, int version, long? first, long? second)
    {
        lock (_writing)
        {
            _lines.Append(CultureInfo.InvariantCulture, $"{kind},{key},{version}");
            if (first is { } one)
            {
                _lines.Append(CultureInfo.InvariantCulture, $",{one}");
            }

            if (second is { } more)
            {
                _lines.Append(CultureInfo.InvariantCulture, $",{more}");
            }

            _lines.Append('\n');
            if (_lines.Length > KeptChars)
            {
                _file.Write(_lines);
                _lines.Clear();
            }
        }
    }

    private record struct Reading(int Version, long FirstEnd, long LastBegin);
}
