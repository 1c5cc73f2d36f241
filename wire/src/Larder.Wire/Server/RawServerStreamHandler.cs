using System.Buffers;

namespace Larder.Wire;

/// <summary>Handles a server-streaming call with raw bytes: one request message and any number of responses.</summary>
/// <param name="request">The message without its header. Valid until the returned task completes.</param>
/// <param name="responses">The writer for the responses.</param>
/// <param name="context">The call.</param>
/// <returns>A task that completes after the last response.</returns>
public delegate ValueTask RawServerStreamHandler(ReadOnlySequence<byte> request, ResponseFrames responses, RpcContext context);
