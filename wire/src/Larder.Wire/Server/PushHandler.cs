using System.Buffers;

namespace Larder.Wire;

/// <summary>
/// Handles a server-streaming call whose responses the connection reads from a source. The handler gets one request message and runs
/// <see cref="PushStream.RunAsync"/> until the call ends.
/// </summary>
/// <param name="request">The message without its header. Valid until the returned task completes.</param>
/// <param name="stream">The stream that sends the responses.</param>
/// <param name="context">The call.</param>
/// <returns>A task that completes when the call has ended.</returns>
public delegate ValueTask PushHandler(ReadOnlySequence<byte> request, PushStream stream, RpcContext context);
