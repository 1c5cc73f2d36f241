using System.Buffers;
using System.IO.Pipelines;

namespace Larder.Wire;

/// <summary>A call that takes one message: it is read whole, and only then, the deadline permitting, does the handler begin.</summary>
/// <param name="path">The call's path.</param>
internal abstract class SingleRequestRoute(string path) : RpcRoute(path)
{
    private static readonly Status Expired = new(StatusCode.DeadlineExceeded, "The deadline passed before the call began; it was not executed.");

    public sealed override ValueTask RunAsync(RpcContext call, RpcRouterOptions options)
    {
        PipeReader body = call.Http.Request.BodyReader;
        if (!body.TryRead(out ReadResult read))
        {
            return ReadThenHandleAsync(body, call, options);
        }

        if (!RequestMessage.TryParse(read, options.MaxReceiveMessageBytes, out bool isCompressed, out ReadOnlySequence<byte> payload))
        {
            body.AdvanceTo(read.Buffer.Start, read.Buffer.End);
            return ReadThenHandleAsync(body, call, options);
        }

        if (isCompressed)
        {
            return InflateThenHandleAsync(body, read.Buffer.End, payload, call, options);
        }

        ValueTask handling = HandleInTime(payload, call);
        if (!handling.IsCompletedSuccessfully)
        {
            return AdvanceAfterAsync(handling, body, read.Buffer.End);
        }

        handling.GetAwaiter().GetResult();
        body.AdvanceTo(read.Buffer.End);
        return default;
    }

    /// <summary>Runs the handler. The payload is valid until the returned task completes.</summary>
    protected abstract ValueTask HandleAsync(ReadOnlySequence<byte> payload, RpcContext call);

    private ValueTask HandleInTime(ReadOnlySequence<byte> payload, RpcContext call)
    {
        if (!call.IsExpired)
        {
            return HandleAsync(payload, call);
        }

        call.Fail(Expired);
        return default;
    }

    private async ValueTask ReadThenHandleAsync(PipeReader body, RpcContext call, RpcRouterOptions options)
    {
        while (true)
        {
            ReadResult read = await body.ReadAsync(CancellationToken.None).ConfigureAwait(false);
            if (read.IsCanceled)
            {
                throw new OperationCanceledException();
            }

            if (RequestMessage.TryParse(read, options.MaxReceiveMessageBytes, out bool isCompressed, out ReadOnlySequence<byte> payload))
            {
                ValueTask handling = isCompressed
                    ? InflateThenHandleAsync(body, read.Buffer.End, payload, call, options)
                    : AdvanceAfterAsync(HandleInTime(payload, call), body, read.Buffer.End);
                await handling.ConfigureAwait(false);
                return;
            }

            body.AdvanceTo(read.Buffer.Start, read.Buffer.End);
        }
    }

    private async ValueTask InflateThenHandleAsync(PipeReader body, SequencePosition end, ReadOnlySequence<byte> compressed, RpcContext call, RpcRouterOptions options)
    {
        if (call.RequestHeaders.GrpcEncoding != MessageEncoding.Gzip)
        {
            throw new RpcException(new Status(StatusCode.Internal, "A message is compressed and grpc-encoding names no encoding."));
        }

        using PooledBuffer inflated = MessageEncoding.Inflate(compressed, options.MaxReceiveMessageBytes);
        await HandleInTime(new ReadOnlySequence<byte>(inflated.WrittenMemory), call).ConfigureAwait(false);
        body.AdvanceTo(end);
    }

    private static async ValueTask AdvanceAfterAsync(ValueTask handling, PipeReader body, SequencePosition end)
    {
        await handling.ConfigureAwait(false);
        body.AdvanceTo(end);
    }
}
