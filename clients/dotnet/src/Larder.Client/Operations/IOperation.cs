using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <summary>
/// One call's request and how it travels: a value that encodes itself and knows how its answer is read. Both transports
/// share it, so a field is written in one place only. The hot ones are <c>readonly struct</c>s: a call allocates none, and each has machine code of its own.
/// All others are classes: their calls share one machine code (ADR-0070).
/// </summary>
internal interface IOperation<TSelf, TResponse>
    where TSelf : IOperation<TSelf, TResponse>
    where TResponse : class
{
    /// <summary>What every call of this operation has in common.</summary>
    static abstract OperationInfo Info { get; }

    /// <summary>Length of the key in bytes, for errors; 0 where there is none.</summary>
    int KeyLength { get; }

    /// <summary>Tells of all that the call names, once it has ended: no copy of it is served to whoever has seen the end (NEAR-22).</summary>
    void EndCopies(NearReads near, string cache);

    /// <summary>The encoded request's length in bytes.</summary>
    int Measure();

    /// <summary>Writes the request: exactly <see cref="Measure"/> bytes.</summary>
    void Write(ref ProtoWriter writer);

    /// <summary>Reads an answer. Throws <see cref="FormatException"/> where the bytes are none.</summary>
    static abstract TResponse Decode(ReadOnlySpan<byte> payload);

    /// <summary>
    /// Throws <see cref="FormatException"/> where a well-formed answer is none to this request: it has more or fewer parts than were asked for.
    /// </summary>
    static virtual void Require(in TSelf operation, TResponse response)
    {
    }

    /// <summary>
    /// Where the unary form is answered by a stream of messages, one for each item in order: a collector for one such stream. Null for all others.
    /// </summary>
    static virtual IAnswerCollector<TResponse>? Collect(in TSelf operation) => null;

    /// <summary>Keys or items of a batch; 1: it is none.</summary>
    static virtual int BatchSizeOf(in TSelf operation) => 1;

    /// <summary>The response that says the call failed.</summary>
    static abstract TResponse Fail(CacheError error);
}
