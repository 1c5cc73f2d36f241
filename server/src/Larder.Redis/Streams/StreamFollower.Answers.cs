using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Larder.Redis;

/// <content>What an answer says, and how a question that is held back is answered at once.</content>
public sealed partial class StreamFollower
{
    private static readonly TimeSpan s_letGoAgain = TimeSpan.FromMilliseconds(2);

    private readonly List<FollowedStream> _delivered = [];
    private long _questions;

    // The question that the node may hold back now; 0: none.
    private long _heldBack;
    private RedisNode? _holder;
    private long _holderConnection;

    // The one that is to be answered at once.
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

    // Throws where the connection is of no use any more.
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

    // Also where the answer was broken off: what came before is there.
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
            _context.Notify(true, $"A stream's handler failed: {error}");
        }
    }

    // The streams that have something, in the order in which they were asked for: of each its key and its entries.
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
                throw new InvalidDataException("The node answers for a stream that it was not asked for.");
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
                throw new InvalidDataException("The node answers with what comes before.");
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
            _context.Notify(true, $"An entry's handler failed: {error}");
        }
    }

    // False where a stream was added since the question's were gathered: it is not to wait for the answer.
    private bool TryHoldBack(BlockingConnection connection, RedisNode node, long changes)
    {
        lock (_lock)
        {
            if (_changes != changes)
            {
                return false;
            }

            _holder = node;
            _holderConnection = connection.Hello.Connection;
            _heldBack = ++_questions;
            return true;
        }
    }

    // Under the lock. True where the caller is to let go, once it has left the lock: one at a time, which serves the others.
    private bool WantsLetGo()
    {
        _unwanted = _heldBack;
        bool begins = _unwanted != 0 && !_isLettingGo;
        _isLettingGo |= begins;
        return begins;
    }

    // Until the question is answered: a node that has not read it yet holds nothing that could be let go.
    private async Task LetGoAsync()
    {
        while (true)
        {
            StreamCommand unblock = new(static (ref RespReader _) => { });
            lock (_lock)
            {
                if (_heldBack == 0 || _unwanted != _heldBack || _context.IsClosed)
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

            // Where that fails, it is answered within a second all the same.
            await SendAsync(unblock).ConfigureAwait(false);
            await Task.Delay(s_letGoAgain, _context.Time).ConfigureAwait(false);
        }
    }
}
