namespace Larder.Client;

/// <summary>Where a subscription begins that is not told a number.</summary>
public enum TopicStart
{
    /// <summary>With the newest message that the server keeps, if there is one.</summary>
    Newest,

    /// <summary>After it: with what is published from now on.</summary>
    Now,
}
