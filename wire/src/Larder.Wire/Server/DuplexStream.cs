using System.IO.Pipelines;

namespace Larder.Wire;

/// <summary>
/// Both directions of a bidirectional call as bytes: the handler reads and writes whole frames (five bytes of header, and the message) itself.
/// It may live for days: no limit of body or rate applies to it.
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

    /// <summary>The call's connection, to tell it from others: the same object for all calls on it.</summary>
    public object Connection { get; }

    /// <summary>What the caller sends; completed when it has sent everything.</summary>
    public PipeReader Input { get; }

    /// <summary>What the caller receives. The response's headers have been sent.</summary>
    public PipeWriter Output { get; }

    /// <summary>Notes that the handler is about to hold memory for this call, beside the two directions' own.</summary>
    /// <param name="bytes">How much, in bytes.</param>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: there is none.</exception>
    public void Hold(int bytes) => _account.Hold(bytes);

    /// <summary>Copies bytes that are to outlive the input they lie in. The copy counts as held until it is disposed of.</summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: there is no memory for it.</exception>
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

    /// <summary>Notes that it holds so much less.</summary>
    /// <param name="bytes">How much, in bytes.</param>
    public void Release(int bytes) => _account.Release(bytes);
}
