using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Larder.Redis;

/// <content>Handles replies, and ends blocked reads early.</content>
public sealed partial class StreamFollower
{
    private static readonly TimeSpan s_letGoAgain = TimeSpan.FromMilliseconds(2);

    private readonly List<FollowedStream> _delivered = [];
    private long _questions;

    // The sequence number of the read that may be blocked on the node; 0 if no read is blocked.
    private long _releaseDeferred;
    private RedisNode? _holder;
    private long _holderConnection;

    // The sequence number of the read that must return immediately, so that the reader can continue.
    private long _unwanted;
    private bool _isLettingGo;

    private AnswerKind Take(RespReader reply, RedisNode node, FollowedStream[] streams)
    {
        switch (reply.Kind)
        {
            case RespKind.Null:
                return AnswerKind.Nothing;
            case RespKind.Error:
                AnswerKind kind = KindOf(reply.Bytes, node);
                return kind != AnswerKind.Failed ? kind : throw new IOException(Encoding.UTF8.GetString(reply.Bytes));
            default:
                Deliver(streams, ref reply, _delivered);
                return AnswerKind.Whole;
        }
    }

    // Interprets an error reply and records redirects. Throws if the connection can no longer be used.
    private AnswerKind KindOf(ReadOnlySpan<byte> text, RedisNode node)
    {
        EngineError error = EngineError.Of(text);
        switch (error.Answer)
        {
            case ErrorAnswer.FollowMoved when Redirect.Parse(text, node.EndPoint) is { } redirect:
                RedisNode target = _topology.NodeAt(redirect.Target);
                target.NamedAt = _context.Elapsed;
                _topology.OnMoved(redirect.Slot, target, node);
                return AnswerKind.Moved;
            case ErrorAnswer.FollowAsk:
                return AnswerKind.Moving;
            case ErrorAnswer.Retry when text.StartsWith("TRYAGAIN"u8):
                return AnswerKind.Moving;
            case ErrorAnswer.Retry or ErrorAnswer.RetryAndRefresh:
                throw new IOException(Encoding.UTF8.GetString(text));
            default:
                return AnswerKind.Failed;
        }
    }

    // Notifies the streams of the end of the read. This is necessary even if the reply was incomplete, because its complete entries were delivered.
    private async Task EndDeliveryAsync()
    {
        foreach (FollowedStream stream in _delivered)
        {
            await EndReadingAsync(stream).ConfigureAwait(false);
        }

        _delivered.Clear();
    }

    [SuppressMessage("Design", "CA1031", Justification = "One stream's own mistake may not end the others'.")]
    private async ValueTask EndReadingAsync(FollowedStream stream)
    {
        try
        {
            await stream.OnReadAsync().ConfigureAwait(false);
        }
        catch (Exception error)
        {
            _context.Notify(true, $"A stream handler failed: {error}");
        }
    }

    // The reply contains the streams that have data, in the order of the request. For each of them, it contains the key and the entries.
    private void Deliver(FollowedStream[] asked, ref RespReader reply, List<FollowedStream> delivered)
    {
        int at = 0;
        for (int left = reply.Kind == RespKind.Map ? reply.Count / 2 : 0; left > 0; left--)
        {
            reply.Read();
            while (at < asked.Length && !asked[at].Key.Span.SequenceEqual(reply.Bytes))
            {
                at++;
            }

            if (at == asked.Length)
            {
                throw new InvalidDataException("The node sent entries of a stream that was not requested.");
            }

            reply.Read();
            delivered.Add(asked[at]);
            DeliverEntries(asked[at++], ref reply);
        }
    }

    private void DeliverEntries(FollowedStream stream, ref RespReader reply)
    {
        for (int left = reply.Count; left > 0; left--)
        {
            reply.Read();
            reply.Read();
            var id = StreamId.Parse(reply.Bytes);
            if (id <= stream.Position)
            {
                throw new InvalidDataException("The node sent entries that are not after the requested position.");
            }

            reply.Read();
            RespReader fields = reply;
            reply.Skip();
            stream.MoveTo(id);
            Interlocked.Increment(ref _entries);
            Give(stream, id, ref fields);
        }
    }

    [SuppressMessage("Design", "CA1031", Justification = "One stream's own mistake may not end the others'.")]
    private void Give(FollowedStream stream, StreamId id, ref RespReader fields)
    {
        try
        {
            stream.OnEntry(id, ref fields);
        }
        catch (Exception error)
        {
            _context.Notify(true, $"A handler of stream entries failed: {error}");
        }
    }

    // Records that the read is about to block. Returns false if a stream was added after the streams of this read were collected, because that stream must not
    // wait until the read returns.
    private bool TryDeferRelease(BlockingConnection connection, RedisNode node, long changes)
    {
        lock (_lock)
        {
            if (_changes != changes)
            {
                return false;
            }

            _holder = node;
            _holderConnection = connection.Hello.Connection;
            _releaseDeferred = ++_questions;
            return true;
        }
    }

    // Requests the end of the blocked read. Returns true if the caller must unblock the read after releasing the lock, because no other thread is doing so. The
    // caller must hold the lock.
    private bool ShouldRelease()
    {
        _unwanted = _releaseDeferred;
        bool begins = _unwanted != 0 && !_isLettingGo;
        _isLettingGo |= begins;
        return begins;
    }

    // Repeat until the read has returned. If the node has not received the read yet, an attempt has no effect.
    private async Task LetGoAsync()
    {
        while (true)
        {
            StreamCommand unblock = new(static (ref RespReader _) => { });
            lock (_lock)
            {
                if (_releaseDeferred == 0 || _unwanted != _releaseDeferred || _context.IsClosed)
                {
                    _isLettingGo = false;
                    return;
                }

                unblock.Begin(3);
                unblock.Add("CLIENT"u8);
                unblock.Add("UNBLOCK"u8);
                unblock.Add(_holderConnection);
                unblock.Pinned = _holder;
                unblock.IsOnce = true;
            }

            // A failure is ignored, because the read returns within a second without this call.
            await SendAsync(unblock).ConfigureAwait(false);
            await Task.Delay(s_letGoAgain, _context.Time).ConfigureAwait(false);
        }
    }
}
