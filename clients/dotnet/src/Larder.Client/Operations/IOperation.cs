using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <summary>
/// One call's request: encodes itself and decodes its response. Both transports use it, so that each field is written in one place only. The most frequent
/// operations are <c>readonly struct</c>s: a call does not allocate them, and each has its own machine code. All others are classes, whose calls share machine
/// code (ADR-0070).
/// </summary>
internal interface IOperation<TSelf, TResponse>
    where TSelf : IOperation<TSelf, TResponse>
    where TResponse : class
{
    /// <summary>Gets the properties that all calls of this operation share.</summary>
    static abstract OperationInfo Info { get; }

    /// <summary>Gets the length of the key in bytes, for errors, or 0 if the call has no key.</summary>
    int KeyLength { get; }

    /// <summary>
    /// Ends the near copies of everything that the call names, once the call has ended. After that, no caller that has seen the end gets an older copy
    /// (NEAR-22).
    /// </summary>
    void EndCopies(NearReads near, string cache);

    /// <summary>Returns the encoded request's length in bytes.</summary>
    int Measure();

    /// <summary>Writes the request, exactly <see cref="Measure"/> bytes.</summary>
    void Write(ref ProtoWriter writer);

    /// <summary>Decodes a response. Throws <see cref="FormatException"/> if the bytes are malformed.</summary>
    static abstract TResponse Decode(ReadOnlySpan<byte> payload);

    /// <summary>
    /// Throws <see cref="FormatException"/> if a well-formed response does not match the request: it has more or fewer parts than were requested.
    /// </summary>
    static virtual void Require(in TSelf operation, TResponse response)
    {
    }

    /// <summary>
    /// Returns a collector for the unary form's response if that is a stream of messages, one for each item in order. Null for all other operations.
    /// </summary>
    static virtual IAnswerCollector<TResponse>? Collect(in TSelf operation) => null;

    /// <summary>Returns the number of keys or items in a batch, or 1 if the call is not a batch.</summary>
    static virtual int BatchSizeOf(in TSelf operation) => 1;

    /// <summary>Creates the response of a failed call.</summary>
    static abstract TResponse Fail(CacheError error);
}
