namespace Larder.Client;

/// <summary>Where a subscription starts if <see cref="SubscribeOptions.ResumeAt"/> is 0.</summary>
public enum TopicStart
{
    /// <summary>The subscription starts with the newest message that the server has, if there is one.</summary>
    Newest,

    /// <summary>The subscription starts after the newest message. It receives only messages that are published after it has started.</summary>
    Now,
}
