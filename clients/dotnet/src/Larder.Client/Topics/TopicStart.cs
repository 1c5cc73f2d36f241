namespace Larder.Client;

/// <summary>Where a subscription without a number starts.</summary>
public enum TopicStart
{
    /// <summary>At the newest message that the server keeps, if there is one.</summary>
    Newest,

    /// <summary>After the newest message: only messages published from now on.</summary>
    Now,
}
