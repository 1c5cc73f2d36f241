using System.Buffers;

namespace Larder.Wire;

/// <summary>A server-streaming call in bytes: one message in, any number out.</summary>
/// <param name="request">The message without its header. It is valid until the returned task completes.</param>
/// <param name="responses">Takes the answers.</param>
/// <param name="context">The call.</param>
/// <returns>A task that completes after the last answer.</returns>
public delegate ValueTask RawServerStreamHandler(ReadOnlySequence<byte> request, ResponseFrames responses, RpcContext context);
