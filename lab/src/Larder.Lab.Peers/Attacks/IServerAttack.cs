namespace Larder.Lab.Peers.Attacks;

/// <summary>One attack on a server that other tenants use.</summary>
internal interface IServerAttack
{
    /// <summary>Its name on the command line.</summary>
    string Name { get; }

    /// <summary>What it does, in one sentence.</summary>
    string Description { get; }

    /// <summary>The server that it is run against.</summary>
    AttackedServer Server => AttackedServer.Plaintext;

    /// <summary>Whether the store is full before it begins: the memory limit then has no slack.</summary>
    bool FillsStore => false;

    /// <summary>Why it cannot run on this machine; null if it can.</summary>
    string? Obstacle => null;

    /// <summary>Stores what it needs, before anything is measured.</summary>
    Task PrepareAsync(AttackTarget target, CancellationToken stop) => Task.CompletedTask;

    /// <summary>Attacks once, by one connection unless the attack is made of connections. It is called again until it is stopped.</summary>
    Task RunAsync(AttackTarget target, AttackCounts counts, CancellationToken stop);
}

/// <summary>How the attacked server is configured.</summary>
internal enum AttackedServer
{
    /// <summary>Tokens over plaintext.</summary>
    Plaintext,

    /// <summary>Tokens over TLS.</summary>
    Tls,

    /// <summary>Tokens over TLS; each client presents a certificate.</summary>
    ClientCertificates,
}
