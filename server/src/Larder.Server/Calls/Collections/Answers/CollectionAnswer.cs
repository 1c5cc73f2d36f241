using System.Buffers;
using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>How large an answer of a collection's elements may be.</summary>
internal static class CollectionAnswer
{
    /// <summary>Bytes at most, over either transport: the messages that clients take, less what is around the elements.</summary>
    public const int MostBytes = 11_010_048 - 1_024;

    /// <summary>The arm of every answer that says that there is nothing.</summary>
    public const int Missing = 2;

    // Room that is tried, one after the other: what most answers need; the pipeline's bound; and for the rest what is held while a long one is read.
    private static ReadOnlySpan<int> Steps => [1024, 64 * 1024, 1024 * 1024, MostBytes];

    /// <summary>The most that an answer may have, where its transport carries so much.</summary>
    public static int MostOf(int maxAnswerBytes) => Math.Min(maxAnswerBytes, MostBytes);

    /// <summary>Why an answer that would be over the most is not made.</summary>
    /// <param name="mostBytes">See <see cref="MostOf"/>.</param>
    /// <param name="instead">What a caller may ask instead.</param>
    public static CallError TooLarge(int mostBytes, string instead) =>
        mostBytes < MostBytes ? CallError.UseUnary : CollectionErrors.AnswerTooLarge(instead);

    /// <summary>The room of a try.</summary>
    public static int RoomOf(int step, int mostBytes) => Math.Min(Steps[step], mostBytes);

    /// <summary>Ends a call that answers a length: <c>Found{1}</c> or missing.</summary>
    public static CallError? EndLength(CollectionOutcome outcome, CallTarget target, IBufferWriter<byte> response, long length)
    {
        CallError? error = CollectionErrors.Of(outcome, target);
        if (error is null && outcome == CollectionOutcome.Ok)
        {
            response.WriteVarintArm(1, ToUInt32(length));
        }
        else if (error is null)
        {
            response.WriteEmptyArm(Missing);
        }

        return error;
    }

    /// <summary>A length as the protocol carries it.</summary>
    public static uint ToUInt32(long length) => (uint)Math.Min(length, uint.MaxValue);
}

/// <summary>
/// An answer of elements, written straight into the response: room is taken before the store is asked, so that it never fails once a pop has popped. Where the
/// store says that the answer is larger, it is asked again, with more.
/// </summary>
/// <typeparam name="TElement">How an element is written.</typeparam>
internal ref struct CollectionAnswer<TElement>
    where TElement : struct, IElementFormat
{
    // The tag and the length of Found, and of the arm in it: 2 × (1 + 5). Behind the elements: a tag and a length.
    private const int HeadBytes = 12;
    private const int TailBytes = 6;

    private readonly CallTarget _target;
    private readonly IBufferWriter<byte> _response;
    private readonly int _mostBytes;
    private Span<byte> _room;
    private int _step;
    private int _roomBytes;

    public CollectionAnswer(CallTarget target, IBufferWriter<byte> response)
        : this(target.MaxAnswerBytes, response) => _target = target;

    /// <summary>An answer whose elements are known before it is begun: it never ends by a failure of the store.</summary>
    public CollectionAnswer(int maxAnswerBytes, IBufferWriter<byte> response)
    {
        _response = response;
        _mostBytes = CollectionAnswer.MostOf(maxAnswerBytes);
    }

    /// <summary>What the store is to hold the present try to.</summary>
    public readonly AnswerLimit Limit => new(_roomBytes, TElement.BytesBeside);

    /// <summary>Begins a try.</summary>
    /// <exception cref="Larder.Wire.RpcException">There is no memory for an answer of this size; nothing was done.</exception>
    public ElementSink<TElement> Begin() => Begin(CollectionAnswer.RoomOf(_step, _mostBytes));

    /// <summary>Begins the one try where it is known how many elements there are, of how many bytes, and that they fit (<see cref="Check"/>).</summary>
    /// <exception cref="Larder.Wire.RpcException">As above.</exception>
    public ElementSink<TElement> BeginFor(int elements, int bytes = 0) => Begin((elements * TElement.BytesBeside) + bytes);

    /// <summary>Whether to try again, with more room.</summary>
    public bool Enlarge(CollectionOutcome outcome)
    {
        _step++;
        return outcome == CollectionOutcome.TooLarge && _roomBytes < _mostBytes;
    }

    /// <summary>Null where so many elements can be answered, of so many bytes together; else why not.</summary>
    public readonly CallError? Check(int elements, string instead, long bytes = 0) =>
        ((long)elements * TElement.BytesBeside) + bytes <= _mostBytes ? null : CollectionAnswer.TooLarge(_mostBytes, instead);

    /// <summary>Ends the call.</summary>
    /// <param name="outcome">How the last try ended.</param>
    /// <param name="sink">Its sink.</param>
    /// <param name="instead">What a caller may ask instead of an answer that is too large.</param>
    /// <param name="length">Of a pop: the elements that are left, which follow in field 2.</param>
    public readonly CallError? End(CollectionOutcome outcome, in ElementSink<TElement> sink, string instead, long length = 0)
    {
        switch (outcome)
        {
            case CollectionOutcome.TooLarge:
                return CollectionAnswer.TooLarge(_mostBytes, instead);
            case CollectionOutcome.Ok:
                WriteFound(sink.Written, CollectionAnswer.ToUInt32(length));
                return null;
            case CollectionOutcome.Missing:
                _response.WriteEmptyArm(CollectionAnswer.Missing);
                return null;
            default:
                return CollectionErrors.Of(outcome, _target);
        }
    }

    private ElementSink<TElement> Begin(int roomBytes)
    {
        _roomBytes = roomBytes;
        _room = _response.GetSpan(HeadBytes + roomBytes + TailBytes);
        return new ElementSink<TElement>(_room.Slice(HeadBytes, roomBytes));
    }

    // The elements are moved to behind their head, whose length is known by now.
    private readonly void WriteFound(int written, uint length)
    {
        int inArm = TElement.Arm == 0 ? written : ProtoWriter.BytesFieldLength(TElement.Arm, written);
        int inner = inArm + (length == 0 ? 0 : ProtoWriter.VarintFieldLength(2, length));
        int total = ProtoWriter.BytesFieldLength(1, inner);
        int head = total - inner + inArm - written;
        _room.Slice(HeadBytes, written).CopyTo(_room[head..]);
        ProtoWriter writer = new(_room);
        writer.WriteLengthPrefix(1, inner);
        if (TElement.Arm != 0)
        {
            writer.WriteLengthPrefix(TElement.Arm, written);
        }

        writer.Reserve(written);
        if (length != 0)
        {
            writer.WriteVarintField(2, length);
        }

        _response.Advance(total);
    }
}
