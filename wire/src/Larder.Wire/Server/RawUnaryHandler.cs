using System.Buffers;

namespace Larder.Wire;

/// <summary>
/// Handles a unary call with raw bytes. The request is read directly from the connection's buffers, and the response is written directly into them. To fail the
/// call, the handler calls <see cref="RpcContext.Fail"/> or throws an exception. The client then ignores the bytes that were written before.
/// </summary>
/// <param name="request">The message without its header. Valid until the returned task completes.</param>
/// <param name="response">The writer for the response message, without a header. Valid until the returned task completes.</param>
/// <param name="context">The call.</param>
/// <returns>A task that completes when the response is written. A task that is already completed costs nothing.</returns>
public delegate ValueTask RawUnaryHandler(ReadOnlySequence<byte> request, IBufferWriter<byte> response, RpcContext context);
