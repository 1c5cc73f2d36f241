namespace Larder.Lab.Near;

/// <summary>The servers that the processes of a run use.</summary>
internal interface INearServers : IAsyncDisposable
{
    /// <summary>Gets the name of these servers in the report.</summary>
    string Name { get; }

    /// <summary>Gets whether a restart of a server loses the stored items.</summary>
    bool Forgets { get; }

    /// <summary>Returns the servers of a process, each as <c>host:port</c>.</summary>
    /// <param name="writes">Whether the process writes.</param>
    IReadOnlyList<string> EndpointsOf(bool writes);

    /// <summary>Kills a server and restarts it on the same port. The server is identified by its index in the list.</summary>
    Task RestartAsync(int server);

    /// <summary>Stops a server with SIGSTOP.</summary>
    void Pause(int server);

    /// <summary>Resumes a server with SIGCONT.</summary>
    void Resume(int server);
}
