using System.Buffers;

namespace Larder.Wire;

/// <summary>
/// A unary call in bytes: the request's message as it lies in the connection's buffers, the answer's written straight into them.
/// It fails the call by <see cref="RpcContext.Fail"/> or by throwing; what it wrote before is then ignored by the caller.
/// </summary>
/// <param name="request">The message without its header. It is valid until the returned task completes.</param>
/// <param name="response">Takes the message of the answer, without a header. Valid until the returned task completes.</param>
/// <param name="context">The call.</param>
/// <returns>A task that completes when the answer is written; a completed one costs nothing.</returns>
public delegate ValueTask RawUnaryHandler(ReadOnlySequence<byte> request, IBufferWriter<byte> response, RpcContext context);
