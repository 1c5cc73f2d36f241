namespace Larder.Client.Near;

/// <summary>
/// A stream that may become the near stream. It tells what comes of it to the <see cref="NearReads"/>; neither call waits, or runs anything of theirs.
/// </summary>
internal interface INearStream
{
    /// <summary>Its number among the streams of one client; from 1.</summary>
    long Number { get; }

    /// <summary>The transport that it is of.</summary>
    object Owner { get; }

    /// <summary>Asks to become it: <c>near_open</c>.</summary>
    void AskOpen();

    /// <summary>Asks to stay it: <c>near_renew</c>, unless one is not answered yet.</summary>
    void AskRenew();
}
