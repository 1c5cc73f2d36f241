namespace Larder.Client.Near;

/// <summary>
/// A stream that may become the near stream: the stream on which the server sends invalidations. It reports the server's responses to <see cref="NearReads"/>.
/// The methods neither block nor call <see cref="NearReads"/> directly.
/// </summary>
internal interface INearStream
{
    /// <summary>Gets the number of the stream. The streams of a client are numbered from 1.</summary>
    long Number { get; }

    /// <summary>Gets the transport of the stream.</summary>
    object Owner { get; }

    /// <summary>Sends <c>near_open</c> to become the near stream.</summary>
    void AskOpen();

    /// <summary>Sends <c>near_renew</c> to extend the lease, unless an earlier request still has no response.</summary>
    void AskRenew();
}
