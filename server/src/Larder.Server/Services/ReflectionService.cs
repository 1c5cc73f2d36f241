using System.Buffers;
using System.IO.Pipelines;
using Google.Protobuf;
using Larder.Server.Calls;
using Larder.Server.Reflection;
using Larder.Server.Reflection.Messages;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>
/// gRPC server reflection. It lists the services and messages for tools such as grpcurl and Postman. If the server requires tokens, every known token is
/// sufficient, because the information is public.
/// </summary>
internal static class ReflectionService
{
    /// <summary>The maximum request size in bytes. Names are much shorter.</summary>
    public const int MaxRequestBytes = 1024;

    /// <summary>The wire paths of the two versions of the call. Their messages are the same. Some tools use the old version, others the new one.</summary>
    public static readonly IReadOnlyList<string> Paths =
    [
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    ];

    private static readonly SemaphoreSlim s_turn = new(1);

    private static readonly CallError TooLarge =
        new(StatusCode.ResourceExhausted, $"a reflection request must be at most {MaxRequestBytes} bytes and uncompressed");

    /// <param name="router">The router.</param>
    /// <param name="draining">Ends the streams on shutdown.</param>
    public static void Map(RpcRouter router, CancellationToken draining)
    {
        foreach (string path in Paths)
        {
            router.MapDuplex(path, async (stream, context) =>
            {
                using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(context.Cancelled, draining);
                try
                {
                    await ServeAsync(stream, context, stop.Token).ConfigureAwait(false);
                }
                catch (OperationCanceledException) when (draining.IsCancellationRequested)
                {
                    // The stream ends. The tool can send the request to another server.
                }
                catch (IOException gone)
                {
                    throw new OperationCanceledException("the client disconnected", gone);
                }
            });
        }
    }

    private static async Task ServeAsync(DuplexStream stream, RpcContext context, CancellationToken stop)
    {
        while (true)
        {
            ReadResult read = await stream.Input.ReadAsync(stop).ConfigureAwait(false);
            ReadOnlySequence<byte> unread = read.Buffer;
            while (TryTake(ref unread, context, out ServerReflectionRequest? request))
            {
                await AnswerAsync(stream.Output, request!, stop).ConfigureAwait(false);
            }

            stream.Input.AdvanceTo(unread.Start, unread.End);
            if (read.IsCompleted)
            {
                return;
            }
        }
    }

    // A request of 30 bytes can cause a response of 50 KB. Therefore, the server builds only one response at a time, and never on the reading thread.
    private static async Task AnswerAsync(PipeWriter output, ServerReflectionRequest request, CancellationToken stop)
    {
        await s_turn.WaitAsync(stop).ConfigureAwait(false);
        try
        {
            await Task.Yield();
            Write(output, ReflectionCatalog.Answer(request));
        }
        finally
        {
            s_turn.Release();
        }

        // Waits until the client has accepted the response before the next one is built.
        await output.FlushAsync(stop).ConfigureAwait(false);
    }

    private static bool TryTake(ref ReadOnlySequence<byte> unread, RpcContext context, out ServerReflectionRequest? request)
    {
        request = null;
        if (!FrameHeader.TryRead(unread, out FrameHeader header))
        {
            return false;
        }

        if (header.Length > MaxRequestBytes || header.IsCompressed)
        {
            throw CallRouting.Failure(context, TooLarge);
        }

        if (unread.Length < FrameHeader.Size + header.Length)
        {
            return false;
        }

        try
        {
            request = ServerReflectionRequest.Parser.ParseFrom(unread.Slice(FrameHeader.Size, header.Length));
        }
        catch (InvalidProtocolBufferException)
        {
            throw CallRouting.Failure(context, CallError.Malformed);
        }

        unread = unread.Slice(FrameHeader.Size + header.Length);
        return true;
    }

    private static void Write(PipeWriter output, ServerReflectionResponse answer)
    {
        int length = answer.CalculateSize();
        Span<byte> frame = output.GetSpan(FrameHeader.Size + length);
        FrameHeader.Write(frame, length);
        answer.WriteTo(frame.Slice(FrameHeader.Size, length));
        output.Advance(FrameHeader.Size + length);
    }
}
