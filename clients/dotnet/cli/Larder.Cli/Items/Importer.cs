using Larder.Client;

namespace Larder.Cli;

/// <summary>Stores a stream of items with many concurrent calls, in bounded memory.</summary>
/// <param name="cache">The cache.</param>
/// <param name="ttl">The time to live of items without an expiry time. If null, the client's default time to live applies.</param>
/// <param name="time">The clock that decides which items have expired.</param>
internal sealed class Importer(Cache cache, TimeSpan? ttl, TimeProvider time)
{
    // The limits for the calls in flight. MaxCalls limits their number, and is large enough to keep a pipelined connection busy. MaxBytes limits the total size
    // of their values. The line that is being read counts towards neither limit.
    private const int MaxCalls = 512;
    private const long MaxBytes = 32 * 1024 * 1024;

    // The maximum length of a line. It is enough for the largest request, even if each byte is encoded as \u0000, and for the property names.
    private const int MaxLineBytes = 64 * 1024 * 1024;

    private readonly Queue<(long Line, int Bytes, Task<CacheResult> Answer)> _calls = new();
    private long _bytes;

    public long Stored { get; private set; }

    public long Expired { get; private set; }

    /// <summary>Stores all items.</summary>
    /// <returns>
    /// Null on success. Otherwise a message with the number of the line that could not be stored and the reason. Items of later lines may have been stored.
    /// </returns>
    public async Task<string?> RunAsync(Stream input, CancellationToken cancellation)
    {
        LineReader lines = new(input, MaxLineBytes);
        string? fault = null;
        try
        {
            while (fault is null && await ReadAsync(lines, cancellation).ConfigureAwait(false) is { } line)
            {
                fault = line.Span.Trim(" \t"u8).IsEmpty ? null : await BeginAsync(line, lines.Number, cancellation).ConfigureAwait(false);
            }
        }
        catch (Exception unread) when (unread is InvalidDataException or IOException)
        {
            fault = unread.Message;
        }

        catch (OperationCanceledException)
        {
            fault = "interrupted";
        }

        // Wait for all calls in flight, so that the number of stored items is correct.
        while (_calls.Count > 0)
        {
            string? first = await EndFirstAsync().ConfigureAwait(false);
            fault ??= first;
        }

        return fault;
    }

    // Reads a line. A read of standard input cannot be cancelled, so on cancellation the read is abandoned.
    private static async ValueTask<ReadOnlyMemory<byte>?> ReadAsync(LineReader lines, CancellationToken cancellation)
    {
        ValueTask<ReadOnlyMemory<byte>?> reading = lines.ReadAsync(cancellation);
        return reading.IsCompletedSuccessfully ? reading.Result : await reading.AsTask().WaitAsync(cancellation).ConfigureAwait(false);
    }

    private async ValueTask<string?> BeginAsync(ReadOnlyMemory<byte> line, long number, CancellationToken cancellation)
    {
        ItemLine item;
        try
        {
            item = ItemLine.Parse(line);
        }
        catch (FormatException refused)
        {
            return $"line {number}: {TerminalText.OfText(refused.Message)}";
        }

        TimeSpan? left = item.ExpiresUnixMs == 0 ? ttl : TimeSpan.FromMilliseconds(item.ExpiresUnixMs - time.GetUtcNow().ToUnixTimeMilliseconds());
        if (item.ExpiresUnixMs != 0 && left <= TimeSpan.Zero)
        {
            Expired++;
            return null;
        }

        int bytes = item.Key.Length + item.Value.Length;
        string? fault = null;
        while (fault is null && _calls.Count > 0 && (_calls.Count >= MaxCalls || _bytes + bytes > MaxBytes))
        {
            fault = await EndFirstAsync().ConfigureAwait(false);
        }

        if (fault is null)
        {
            _bytes += bytes;
            _calls.Enqueue((number, bytes, cache.SetAsync(item.Key, item.Value, left, cancellation).AsTask()));
        }

        return fault;
    }

    private async ValueTask<string?> EndFirstAsync()
    {
        (long line, int bytes, Task<CacheResult> answer) = _calls.Dequeue();
        _bytes -= bytes;
        if (await answer.ConfigureAwait(false) is { Error: { } error })
        {
            return $"line {line}: {TerminalText.OfText($"{error.Code}: {error.Reason}")}";
        }

        Stored++;
        return null;
    }
}
