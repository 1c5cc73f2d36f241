using System.IO.Pipelines;

namespace Larder.Wire;

/// <summary>
/// Both directions of a bidirectional call, as bytes. The handler itself reads and writes whole frames (a five-byte header and the message). The call may stay
/// open for days; no limits on its size or rate apply.
/// </summary>
public sealed class DuplexStream
{
    private readonly BufferAccount _account;

    internal DuplexStream(RpcContext call)
    {
        Input = call.Stream.Input;
        Output = call.Output;
        Connection = call.Connection;
        _account = call.Stream.Account;
    }

    /// <summary>Gets an object that identifies the call's connection. It is the same object for all calls on this connection.</summary>
    public object Connection { get; }

    /// <summary>Gets the reader for the client's data. It completes when the client has sent everything.</summary>
    public PipeReader Input { get; }

    /// <summary>Gets the writer for the response. The headers of the response have already been sent.</summary>
    public PipeWriter Output { get; }

    /// <summary>Records that the handler is about to use memory for this call, in addition to the input and output buffers.</summary>
    /// <param name="bytes">The number of bytes.</param>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: there is not enough memory.</exception>
    public void Hold(int bytes) => _account.Hold(bytes);

    /// <summary>Copies bytes that must outlive the input buffer. The memory of the copy is counted for the call until the copy is disposed.</summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: there is not enough memory.</exception>
    internal PooledBuffer Copy(ReadOnlySpan<byte> bytes)
    {
        PooledBuffer copy = new(PooledBuffer.UncountedBytes, _account);
        try
        {
            bytes.CopyTo(copy.GetSpan(bytes.Length));
            copy.Advance(bytes.Length);
            return copy;
        }
        catch (RpcException)
        {
            copy.Dispose();
            throw;
        }
    }

    /// <summary>Records that the handler has released memory.</summary>
    /// <param name="bytes">The number of bytes.</param>
    public void Release(int bytes) => _account.Release(bytes);
}
