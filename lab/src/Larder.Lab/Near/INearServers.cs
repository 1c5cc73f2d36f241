namespace Larder.Lab.Near;

/// <summary>What the processes of a run are clients of.</summary>
internal interface INearServers : IAsyncDisposable
{
    /// <summary>What it is, in a result.</summary>
    string Name { get; }

    /// <summary>Whether what is stored is gone when a server is started anew.</summary>
    bool Forgets { get; }

    /// <summary>The servers of a process, <c>host:port</c> each.</summary>
    /// <param name="writes">Whether it writes.</param>
    IReadOnlyList<string> EndpointsOf(bool writes);

    /// <summary>Kills one, by its place in the list, and starts it anew on its port.</summary>
    Task RestartAsync(int server);

    /// <summary>Stops one by SIGSTOP.</summary>
    void Pause(int server);

    /// <summary>Lets it go on.</summary>
    void Resume(int server);
}
