using System.Text;
using Larder.Wire;

namespace Larder.Redis;

/// <content>Sends requests on a connection and handles their replies.</content>
public sealed partial class StreamFollower
{
    /// <summary>The maximum size of a reply, in bytes. If a reply is larger, the streams are read a few at a time until the backlog is processed.</summary>
    internal const int MaxAnswerBytes = 12 * 1024 * 1024;

    /// <summary>The maximum number of opening scripts in one batch. Streams that are already open are read between two batches.</summary>
    internal const int MaxOpenedPerRead = 64;

    // The maximum number of entries of one stream in one reply. The next reply contains the following entries.
    private const int EntriesPerRead = 128;

    // The number of streams per read after a reply was too large. At 2 MB per stream at most, the reply has at most 8 MB.
    private const int StreamsInPart = 4;

    // After a read of many streams, the follower waits so that more entries accumulate for the next read, because the node checks every stream for each read.
    // For 256 streams, this takes 38 µs (ADR-0093). The wait is 1 ms for each group of this many streams.
    private const int StreamsForEachMs = 256;
    private const int LongestGatherMs = 8;

    // The maximum time for which a read blocks. It limits the time until the follower notices that a node is lost, and the delay if a request to unblock a read
    // is lost.
    private static readonly TimeSpan s_block = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan s_notOpenedWait = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan s_refusedWait = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_movingWait = TimeSpan.FromMilliseconds(20);

    private bool _inParts;

    /// <summary>
    /// Gets or sets the interval at which the opening script of an open stream is run again. The script also renews the time to live of the stream's keys. This
    /// time to live is several times as long as the interval.
    /// </summary>
    internal TimeSpan OpensAgainAfter { get; set; } = TimeSpan.FromMinutes(2);

    // Reads the streams. Returns when the node no longer has the slot, or when no streams are followed.
    private async Task FollowAsync(BlockingConnection connection, RedisNode node)
    {
        while (!_closing.IsCancellationRequested)
        {
            FollowedStream[] streams = Streams(out long changes);
            if (streams.Length == 0 || !await OpenDueStreamsAsync(connection, node, streams).ConfigureAwait(false))
            {
                return;
            }

            FollowedStream[] open = Array.TrueForAll(streams, static stream => stream.IsOpen) ? streams : [.. streams.Where(static stream => stream.IsOpen)];
            bool follows = _inParts
                ? await ReadPartsAsync(connection, node, open).ConfigureAwait(false)
                : await ReadAsync(connection, node, open, BlockFor(streams), changes).ConfigureAwait(false);
            if (!follows)
            {
                return;
            }

            _failures = 0;
        }
    }

    // Returns the maximum time for which the next read may block. It must return before the opening script of a stream is due.
    private TimeSpan BlockFor(FollowedStream[] streams)
    {
        TimeSpan left = streams.Min(static stream => stream.Asked != stream.LastOpenRequest ? TimeSpan.Zero : stream.OpensAt) - _context.Elapsed;
        return left < TimeSpan.FromMilliseconds(1) ? TimeSpan.Zero : left < s_block ? left : s_block;
    }

    // Runs the opening scripts that are due. Returns false if the node no longer has the slot.
    private async Task<bool> OpenDueStreamsAsync(BlockingConnection connection, RedisNode node, FollowedStream[] streams)
    {
        TimeSpan now = _context.Elapsed;
        FollowedStream[] due = [.. streams.Where(stream => stream.IsDue(now)).Take(MaxOpenedPerRead)];
        if (due.Length == 0)
        {
            return true;
        }

        StreamCommand opening = new(static (ref RespReader _) => { });
        foreach (FollowedStream stream in due)
        {
            Begin(opening, stream);
            opening.SendsScriptText = true;
            opening.WriteTo(connection.Request);
        }

        await connection.SendAsync().ConfigureAwait(false);
        List<FollowedStream>? elsewhere = null;
        bool follows = true;
        foreach (FollowedStream stream in due)
        {
            Range answer = await connection.NextAsync(_context.Options.SilenceLimit).ConfigureAwait(false);
            switch (TakeOpening(connection.At(answer), node, stream))
            {
                case AnswerKind.Moved:
                    follows = false;
                    break;
                case AnswerKind.Moving:
                    (elsewhere ??= []).Add(stream);
                    break;
                default:
                    break;
            }
        }

        if (follows && elsewhere is not null)
        {
            await Task.WhenAll(elsewhere.Select(OpenElsewhereAsync)).ConfigureAwait(false);
        }

        return follows;
    }

    private void Begin(StreamCommand opening, FollowedStream stream)
    {
        lock (_lock)
        {
            stream.LastOpenRequest = stream.Asked;
        }

        stream.BeginOpening(opening);
    }

    private AnswerKind TakeOpening(RespReader reply, RedisNode node, FollowedStream stream)
    {
        if (reply.Kind != RespKind.Error)
        {
            TakeOpening(ref reply, stream);
            return AnswerKind.Whole;
        }

        AnswerKind kind = KindOf(reply.Bytes, node);
        if (kind == AnswerKind.Failed)
        {
            NotOpened(stream, new RedisFailure(EngineError.Of(reply.Bytes).Kind, NotExecuted: false, Encoding.UTF8.GetString(reply.Bytes)));
        }

        return kind;
    }

    private void TakeOpening(ref RespReader reply, FollowedStream stream)
    {
        stream.MoveTo(stream.OnOpened(ref reply));
        stream.IsOpen = true;
        stream.OpensAt = _context.Elapsed + OpensAgainAfter;
    }

    private void NotOpened(FollowedStream stream, RedisFailure failure)
    {
        stream.OpensAt = _context.Elapsed + s_notOpenedWait;
        stream.OnNotOpened(failure);
    }

    private async Task OpenElsewhereAsync(FollowedStream stream)
    {
        StreamCommand opening = new((ref RespReader reply) => TakeOpening(ref reply, stream));
        Begin(opening, stream);
        if (await SendAsync(opening).ConfigureAwait(false) is { } failure)
        {
            NotOpened(stream, failure);
        }
    }

    private async Task<bool> ReadAsync(BlockingConnection connection, RedisNode node, FollowedStream[] streams, TimeSpan block, long changes)
    {
        if (streams.Length == 0)
        {
            await Task.Delay(s_movingWait, _context.Time, _closing.Token).ConfigureAwait(false);
            return true;
        }

        if (block > TimeSpan.Zero && !TryDeferRelease(connection, node, changes))
        {
            block = TimeSpan.Zero;
        }

        WriteReading(connection.Request, streams, block);

        await connection.SendAsync().ConfigureAwait(false);
        Range answer = await connection.NextAsync(block + _context.Options.SilenceLimit).ConfigureAwait(false);
        Volatile.Write(ref _releaseDeferred, 0);
        AnswerKind kind;
        try
        {
            kind = Take(connection.At(answer), node, streams);
        }
        finally
        {
            await EndDeliveryAsync().ConfigureAwait(false);
        }

        if (kind == AnswerKind.Moving)
        {
            await Task.WhenAll(streams.Select(ReadElsewhereAsync)).ConfigureAwait(false);
            await Task.Delay(s_movingWait, _context.Time, _closing.Token).ConfigureAwait(false);
        }
        else if (kind == AnswerKind.Whole && block > TimeSpan.Zero && streams.Length >= StreamsForEachMs)
        {
            double gather = Math.Min(streams.Length / StreamsForEachMs, LongestGatherMs);
            await Task.Delay(TimeSpan.FromMilliseconds(gather), _context.Time, _closing.Token).ConfigureAwait(false);
        }

        return kind != AnswerKind.Moved;
    }

    private async Task<bool> ReadPartsAsync(BlockingConnection connection, RedisNode node, FollowedStream[] streams)
    {
        foreach (FollowedStream[] part in streams.Chunk(StreamsInPart))
        {
            if (!await ReadAsync(connection, node, part, TimeSpan.Zero, 0).ConfigureAwait(false))
            {
                return false;
            }
        }

        _inParts = false;
        return true;
    }

    private async Task ReadElsewhereAsync(FollowedStream stream)
    {
        FollowedStream[] one = [stream];
        StreamCommand reading = new((ref RespReader reply) => Deliver(one, ref reply, []));
        Span<byte> position = stackalloc byte[StreamId.MaxBytes];
        reading.Begin(6);
        reading.Add("XREAD"u8);
        reading.Add("COUNT"u8);
        reading.Add(EntriesPerRead);
        reading.Add("STREAMS"u8);
        reading.AddKey(default, stream.Key.Span);
        reading.Add(position[..stream.Position.Format(position)]);
        // A failure is ignored, because the next read returns the entries.
        await SendAsync(reading).ConfigureAwait(false);
        await EndReadingAsync(stream).ConfigureAwait(false);
    }

    private Task<RedisFailure?> SendAsync(StreamCommand command)
    {
        command.Deadline = _context.Now + _context.Timestamps(_context.Options.SilenceLimit);
        command.IsIdempotent = true;
        _router.Send(command);
        _context.EndBatch();
        return command.End;
    }

    private static void WriteReading(PooledBuffer request, FollowedStream[] streams, TimeSpan block)
    {
        bool blocks = block > TimeSpan.Zero;
        RespWriter.WriteArray(request, (blocks ? 6 : 4) + (2 * streams.Length));
        RespWriter.WriteBytes(request, "XREAD"u8);
        RespWriter.WriteBytes(request, "COUNT"u8);
        RespWriter.WriteNumber(request, EntriesPerRead);
        if (blocks)
        {
            RespWriter.WriteBytes(request, "BLOCK"u8);
            RespWriter.WriteNumber(request, (long)Math.Ceiling(block.TotalMilliseconds));
        }

        RespWriter.WriteBytes(request, "STREAMS"u8);
        foreach (FollowedStream stream in streams)
        {
            RespWriter.WriteBytes(request, stream.Key.Span);
        }

        Span<byte> position = stackalloc byte[StreamId.MaxBytes];
        foreach (FollowedStream stream in streams)
        {
            RespWriter.WriteBytes(request, position[..stream.Position.Format(position)]);
        }
    }
}
