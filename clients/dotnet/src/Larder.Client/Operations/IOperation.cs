using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <summary>
/// The request of one call. It encodes itself and decodes its response. Both transports use it, so the code for each field exists only once. The most frequent
/// operations are <c>readonly struct</c>s, because a call does not allocate them and the JIT compiler generates separate machine code for each of them. All
/// other operations are classes, which share machine code (ADR-0070).
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
    /// Removes the near copies of all keys that the call has used. Called when the call has ended, before its caller gets the response. A caller that has the
    /// response therefore never gets an older copy (NEAR-22).
    /// </summary>
    void EndCopies(NearReads near, string cache);

    /// <summary>Returns the encoded request's length in bytes.</summary>
    int Measure();

    /// <summary>Writes the request, exactly <see cref="Measure"/> bytes.</summary>
    void Write(ref ProtoWriter writer);

    /// <summary>Decodes a response. Throws <see cref="FormatException"/> if the bytes are malformed.</summary>
    static abstract TResponse Decode(ReadOnlySpan<byte> payload);

    /// <summary>
    /// Throws <see cref="FormatException"/> if a well-formed response does not match the request, because it has more or fewer parts than were requested.
    /// </summary>
    static virtual void Require(in TSelf operation, TResponse response)
    {
    }

    /// <summary>
    /// Returns a collector if the response of the unary RPC is a stream with one message for each item, in order. Returns null for all other operations.
    /// </summary>
    static virtual IAnswerCollector<TResponse>? Collect(in TSelf operation) => null;

    /// <summary>Returns the number of keys or items in a batch, or 1 if the call is not a batch.</summary>
    static virtual int BatchSizeOf(in TSelf operation) => 1;

    /// <summary>Creates the response of a failed call.</summary>
    static abstract TResponse Fail(CacheError error);
}
