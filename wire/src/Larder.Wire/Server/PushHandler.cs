using System.Buffers;

namespace Larder.Wire;

/// <summary>A server-streaming call whose answers its connection fetches: one message in, and <see cref="PushStream.RunAsync"/> until it is over.</summary>
/// <param name="request">The message without its header. It is valid until the returned task completes.</param>
/// <param name="stream">Sends the answers.</param>
/// <param name="context">The call.</param>
/// <returns>A task that completes when the call is over.</returns>
public delegate ValueTask PushHandler(ReadOnlySequence<byte> request, PushStream stream, RpcContext context);
