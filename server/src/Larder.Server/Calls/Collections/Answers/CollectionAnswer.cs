using System.Buffers;
using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>The limits and common parts of responses that contain collection elements.</summary>
internal static class CollectionAnswer
{
    /// <summary>
    /// The maximum total size of the elements of a response in bytes, for both transports: the maximum message size that clients accept, minus 1 KB for the
    /// other parts of the response.
    /// </summary>
    public const int MaxBytes = 11_010_048 - 1_024;

    /// <summary>The number of the field that reports a missing collection. It is the same in all responses.</summary>
    public const int Missing = 2;

    // The buffer sizes, in the order in which they are tried. The first is enough for most responses, the second is the pipeline's limit, and the last is the
    // maximum.
    private static ReadOnlySpan<int> Steps => [1024, 64 * 1024, 1024 * 1024, MaxBytes];

    /// <summary>Returns the maximum size of a response, given the limit of its transport.</summary>
    public static int MaxOf(int maxAnswerBytes) => Math.Min(maxAnswerBytes, MaxBytes);

    /// <summary>Creates the error for a response that is larger than the maximum.</summary>
    /// <param name="mostBytes">The result of <see cref="MaxOf"/>.</param>
    /// <param name="instead">The alternative that the error message suggests.</param>
    public static CallError TooLarge(int mostBytes, string instead) =>
        mostBytes < MaxBytes ? CallError.UseUnary : CollectionErrors.AnswerTooLarge(instead);

    /// <summary>Returns the buffer size for the given step, which starts at 0 and increases by 1 for each further attempt.</summary>
    public static int ChunkSizeOf(int step, int mostBytes) => Math.Min(Steps[step], mostBytes);

    /// <summary>
    /// Completes a call that returns the length of a collection. Writes <c>Found</c> with the length, or reports that the collection is missing.
    /// </summary>
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

    /// <summary>Converts a length to the type that the protocol uses. Returns the maximum of this type if the length is larger.</summary>
    public static uint ToUInt32(long length) => (uint)Math.Min(length, uint.MaxValue);
}

/// <summary>
/// A response with collection elements, written directly to the output. The buffer is reserved before the store is called, so that a pop cannot fail after it
/// has removed elements. If the store reports that the buffer is too small, the call is repeated with a larger buffer.
/// </summary>
/// <typeparam name="TElement">The encoding of an element.</typeparam>
internal ref struct CollectionAnswer<TElement>
    where TElement : struct, IElementFormat
{
    // The space before the elements is for the tags and lengths of Found and of the message in Found: 2 × (1 + 5) bytes. The space after the elements is for a
    // tag and a varint.
    private const int HeadBytes = 12;
    private const int TailBytes = 6;

    private readonly CallTarget _target;
    private readonly IBufferWriter<byte> _response;
    private readonly int _mostBytes;
    private Span<byte> _room;
    private int _step;
    private int _chunkBytes;

    public CollectionAnswer(CallTarget target, IBufferWriter<byte> response)
        : this(target.MaxAnswerBytes, response) => _target = target;

    /// <summary>
    /// Initializes a response whose elements are known in advance, so the store is not called. <see cref="End"/> must not be called with
    /// <see cref="CollectionOutcome.NoCache"/>, because this response does not know the cache.
    /// </summary>
    public CollectionAnswer(int maxAnswerBytes, IBufferWriter<byte> response)
    {
        _response = response;
        _mostBytes = CollectionAnswer.MaxOf(maxAnswerBytes);
    }

    /// <summary>Gets the limit that the store must respect in the current attempt.</summary>
    public readonly AnswerLimit Limit => new(_chunkBytes, TElement.OverheadBytesPerElement);

    /// <summary>Begins an attempt.</summary>
    /// <exception cref="Larder.Wire.RpcException">There is no memory for a response of this size; nothing was changed.</exception>
    public ElementSink<TElement> Begin() => Begin(CollectionAnswer.ChunkSizeOf(_step, _mostBytes));

    /// <summary>
    /// Begins a response whose number of elements and total size are known, so that one attempt is enough. They must fit (see <see cref="Check"/>).
    /// </summary>
    /// <exception cref="Larder.Wire.RpcException">There is no memory for a response of this size; nothing was changed.</exception>
    public ElementSink<TElement> BeginFor(int elements, int bytes = 0) => Begin((elements * TElement.OverheadBytesPerElement) + bytes);

    /// <summary>Advances to the next buffer size. Returns whether to repeat the call with that size.</summary>
    public bool Enlarge(CollectionOutcome outcome)
    {
        _step++;
        return outcome == CollectionOutcome.TooLarge && _chunkBytes < _mostBytes;
    }

    /// <summary>
    /// Checks whether the given number of elements, with the given total size, fits into a response. Returns null if they fit, otherwise the error.
    /// </summary>
    public readonly CallError? Check(int elements, string instead, long bytes = 0) =>
        ((long)elements * TElement.OverheadBytesPerElement) + bytes <= _mostBytes ? null : CollectionAnswer.TooLarge(_mostBytes, instead);

    /// <summary>Completes the call: writes the response or returns the error.</summary>
    /// <param name="outcome">The outcome of the last attempt.</param>
    /// <param name="sink">The sink of the last attempt.</param>
    /// <param name="instead">The alternative that the error message suggests if the response is too large.</param>
    /// <param name="length">For a pop: the number of remaining elements, written to field 2.</param>
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
        _chunkBytes = roomBytes;
        _room = _response.GetSpan(HeadBytes + roomBytes + TailBytes);
        return new ElementSink<TElement>(_room.Slice(HeadBytes, roomBytes));
    }

    // Moves the elements directly behind the header, whose length is now known.
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
