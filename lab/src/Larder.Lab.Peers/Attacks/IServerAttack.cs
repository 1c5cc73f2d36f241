namespace Larder.Lab.Peers.Attacks;

/// <summary>An attack on a server that other tenants use at the same time.</summary>
internal interface IServerAttack
{
    /// <summary>Gets the name on the command line.</summary>
    string Name { get; }

    /// <summary>Gets a description in one sentence.</summary>
    string Description { get; }

    /// <summary>Gets the configuration of the attacked server.</summary>
    AttackedServer Server => AttackedServer.Plaintext;

    /// <summary>Gets whether the store must be full before the attack, so that the memory limit has no slack.</summary>
    bool FillsStore => false;

    /// <summary>Gets the reason why the attack cannot run on this machine. Null if it can run.</summary>
    string? Obstacle => null;

    /// <summary>Stores the items that the attack needs, before anything is measured.</summary>
    Task PrepareAsync(AttackTarget target, CancellationToken stop) => Task.CompletedTask;

    /// <summary>Attacks once. Uses one connection, unless the attack consists of opening connections. Called repeatedly until the attack is stopped.</summary>
    Task RunAsync(AttackTarget target, AttackCounts counts, CancellationToken stop);
}

/// <summary>The configuration of the attacked server.</summary>
internal enum AttackedServer
{
    /// <summary>The server requires tokens and uses plaintext.</summary>
    Plaintext,

    /// <summary>The server requires tokens and uses TLS.</summary>
    Tls,

    /// <summary>The server requires tokens and uses TLS with client certificates.</summary>
    ClientCertificates,
}
